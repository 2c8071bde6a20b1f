// Loads a page of the server and takes one of its elements.

/** With `data`, the page is requested by POST. It is parsed as a document, which runs nothing, and needs no text to become markup here. */
export function load(url, selector, data) {
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest()
    request.responseType = "document"
    request.open(data ? "POST" : "GET", url)
    request.setRequestHeader("Accept", "text/html")
    request.onload = () => {
      const element = request.status === 200 && request.response?.querySelector(selector)
      element ? done(document.adoptNode(element)) : failed(new Error(String(request.status)))
    }
    request.onerror = request.ontimeout = () => failed(new Error("network"))
    request.timeout = 20000
    request.send(data && new URLSearchParams(data))
  })
}
