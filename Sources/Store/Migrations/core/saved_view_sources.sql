-- The filter of saved views by a client has the name `source` since it also filters by the titles of feeds.
set local role @owner@;

update curation.saved_view set query = regexp_replace(query, '(^|&)client=', '\1source=')
where query ~ '(^|&)client=' and query !~ '(^|&)source=';

reset role;
