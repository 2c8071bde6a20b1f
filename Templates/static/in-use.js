let isInUse = false
for (const type of ["keydown", "pointerdown", "input", "change", "paste", "drop"])
  document.addEventListener(type, ({ isTrusted }) => { isInUse ||= isTrusted }, true)

/** Whether a person has done anything on this page. `navigator.userActivation` carries over from the page before. */
export const isUsed = () => isInUse
