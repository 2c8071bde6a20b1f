// Saves what is typed into one field while it is typed, so that neither a closed tab nor Escape loses it.

const pause = 1000, again = 5000

/**
 * `save` takes the text and the options of its request, and returns whether it is saved. Of the result, `now` saves the text at
 * once; `done` waits for what is being saved and drops what is not sent yet: the caller saves the text itself.
 */
export function saveTyped(input, save) {
  let isUnsaved = false, hasFailed = false, timer
  let sending = Promise.resolve(), stop = new AbortController()

  async function send(options) {
    const text = input.value
    const isSaved = await save(text, options)
    // Another text has been sent since.
    if (options.signal.aborted) return
    hasFailed = !isSaved
    if (isSaved) return
    isUnsaved = true
    if (input.isConnected) timer = setTimeout(now, again)
  }

  function now({ keepalive = false } = {}) {
    clearTimeout(timer)
    if (!isUnsaved) return
    isUnsaved = false
    // Requests of a page may arrive in any order; one that is still on its way would replace the newer text.
    stop.abort()
    stop = new AbortController()
    const { signal } = stop
    sending = keepalive ? send({ keepalive, signal }) : sending.then(() => send({ signal }))
  }

  input.addEventListener("input", () => {
    isUnsaved = true
    clearTimeout(timer)
    timer = setTimeout(now, pause)
  })
  input.addEventListener("change", () => now())
  input.addEventListener("keydown", (event) => {
    const isSaveKey = event.key === "s" && event.ctrlKey !== event.metaKey && !event.altKey
    if (isSaveKey) event.preventDefault()
    if (isSaveKey || event.key === "Escape") now()
  })
  // Until the field is gone, as that of an image that was inserted or removed.
  const gone = new AbortController()
  const on = (target, type, action) =>
    target.addEventListener(type, (event) => (input.isConnected ? action(event) : gone.abort()), { signal: gone.signal })
  on(window, "pagehide", () => now({ keepalive: true }))
  on(document, "visibilitychange", () => { if (document.hidden) now({ keepalive: true }) })
  on(window, "online", () => { if (hasFailed) now() })
  // The browser asks before it closes a page whose text can't be sent.
  on(window, "beforeunload", (event) => { if (hasFailed && isUnsaved) event.preventDefault() })

  return {
    now() {
      isUnsaved = true
      now()
    },
    done() {
      clearTimeout(timer)
      isUnsaved = false
      return sending
    },
  }
}
