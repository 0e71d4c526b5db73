/** Escapes a text for HTML, SVG and XML, between tags as in a quoted attribute. */
export const markupText = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
