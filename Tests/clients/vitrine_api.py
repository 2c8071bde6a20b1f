"""What the four demo clients share: requests with credentials, lists page by page, and a cache that answers 304s."""
import base64
import json
import os
import re
import urllib.error
import urllib.parse
import urllib.request


class Problem(Exception):
    """A refused request (RFC 9457)."""

    def __init__(self, status, document):
        super().__init__(f"{status} {document.get('code')}: {document.get('detail')}")
        self.status, self.code = status, document.get("code")


class Vitrine:
    """`CMS_URL` is the public URL, `CMS_CLIENT` the id and the secret of an API client, separated by a colon; `CMS_TIMEOUT` is how
    many seconds a response may take."""

    def __init__(self):
        self.url = os.environ["CMS_URL"].rstrip("/")
        self.authorization = "Basic " + base64.b64encode(os.environ["CMS_CLIENT"].encode()).decode()
        self.timeout = float(os.environ.get("CMS_TIMEOUT") or 20)
        self.cache = {}
        self.not_modified = 0

    def response(self, path, **query):
        """The body of a response and the URL of its next page; from the cache if the server says that it has not changed."""
        target = urllib.parse.urljoin(self.url, path) + ("?" + urllib.parse.urlencode(query) if query else "")
        headers = {"Authorization": self.authorization}
        if target in self.cache:
            headers["If-None-Match"] = self.cache[target][0]
        try:
            with urllib.request.urlopen(urllib.request.Request(target, headers=headers), timeout=self.timeout) as response:
                next_url = re.search(r'<([^>]*)>; rel="next"', response.headers["Link"] or "")
                found = response.read(), next_url and next_url[1]
                if response.headers["ETag"]:
                    self.cache[target] = (response.headers["ETag"], found)
                return found
        except urllib.error.HTTPError as error:
            if error.code == 304:
                self.not_modified += 1
                return self.cache[target][1]
            raise Problem(error.code, json.load(error)) from None

    def bytes(self, path, **query):
        return self.response(path, **query)[0]

    def get(self, path, **query):
        return json.loads(self.bytes(path, **query))

    def all(self, path, **query):
        """All elements of a list, page by page."""
        body, next_url = self.response(path, **query)
        while True:
            yield from json.loads(body)["data"]
            if not next_url:
                return
            body, next_url = self.response(next_url)

    def text(self, key, locale):
        """Copy that the team edits, such as what to say when nothing matches."""
        return self.get(f"/v1/texts/{key}", locale=locale)["value"]
