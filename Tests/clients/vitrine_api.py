"""What the four demo clients share: requests with credentials, lists page by page, and a cache that answers 304s."""
import base64
import json
import os
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

    def bytes(self, path, **query):
        """The body of a response; from the cache if the server says that it has not changed."""
        target = self.url + path + ("?" + urllib.parse.urlencode(query) if query else "")
        headers = {"Authorization": self.authorization}
        if target in self.cache:
            headers["If-None-Match"] = self.cache[target][0]
        try:
            with urllib.request.urlopen(urllib.request.Request(target, headers=headers), timeout=self.timeout) as response:
                body = response.read()
                if response.headers["ETag"]:
                    self.cache[target] = (response.headers["ETag"], body)
                return body
        except urllib.error.HTTPError as error:
            if error.code == 304:
                self.not_modified += 1
                return self.cache[target][1]
            raise Problem(error.code, json.load(error)) from None

    def get(self, path, **query):
        return json.loads(self.bytes(path, **query))

    def all(self, path, **query):
        """All elements of a list, page by page."""
        while True:
            page = self.get(path, **query)
            yield from page["data"]
            if not page["next"]:
                return
            query["cursor"] = page["next"]

    def text(self, key, locale):
        """Copy that the team edits, such as what to say when nothing matches."""
        return self.get(f"/v1/texts/{key}", locale=locale)["value"]
