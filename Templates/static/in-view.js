// Loads what is large when somebody is about to see it.

// What is in view when the page opens waits until somebody uses the page, so that nothing delays the page itself. Scripts
// scroll, too, and browsers report a pointer that rests over a new page as moved by nothing.
const isUsed = new Promise((resolve) => {
  for (const name of ["pointermove", "pointerdown", "keydown", "wheel", "touchmove"])
    addEventListener(name, (event) => {
      if (name !== "pointermove" || event.movementX || event.movementY) resolve()
    }, { capture: true, passive: true })
})

/** Calls `action` once, when the element comes into view. */
export function whenSeen(element, action) {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return
    observer.disconnect()
    isUsed.then(action)
  }, { rootMargin: "200px" })
  observer.observe(element)
}
