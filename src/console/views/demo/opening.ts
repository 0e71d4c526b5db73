/** `/console?demo` begins with the demo. */
export function openDemo(): void {
  const isAsked = new URLSearchParams(location.search).has('demo')
  if (isAsked && location.hash.replace(/^#\/?/, '') === '') location.hash = '#/demo'
}
