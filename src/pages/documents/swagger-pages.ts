/** Pages that show an OpenAPI document and try its operations. */
import { DEMO_KEYS } from '../../contract/documents/demo-keys.ts'
import { escaped, htmlPage } from './html-page.ts'

/** The contract's operations; trials are signed with the selected key. */
export const contractSwagger = (): string =>
  swagger('Operations', '/swagger', '/openapi.json', signingForm())

/** The calls of the control plane. */
export const controlSwagger = (): string =>
  swagger(
    'Control plane',
    '/_control',
    '/_control/openapi.json',
    '<p>On another address than loopback each call needs the token of TAPEWRIGHT_CONTROL_TOKEN: ' +
      'put it in under “Authorize”.</p>',
  )

function swagger(title: string, path: string, documentPath: string, form: string): string {
  return htmlPage({
    title,
    path,
    main:
      `<h1>${escaped(title)}</h1>${form}` +
      `<div id="swagger-ui" data-document="${documentPath}">Needs JavaScript; ` +
      `<a href="${documentPath}">the document</a>.</div>`,
    scripts: ['/swagger/swagger-ui-bundle.js', '/pages/swagger.js'],
    styles: ['/swagger/swagger-ui.css', '/pages/swagger.css'],
  })
}

function signingForm(): string {
  const keys = DEMO_KEYS.map(
    ({ accessKey, secretKey, about }) =>
      `<option value="${accessKey}" data-secret="${secretKey}">` +
      `${accessKey}: ${escaped(about)}</option>`,
  )
  return [
    '<form id="signing">',
    '<label for="key">Sign with</label>',
    `<select id="key">${keys.join('')}`,
    '<option value="" data-kind="own">another key</option>',
    '<option value="" data-kind="none">nothing</option></select>',
    '<span id="own" hidden>',
    '<label for="own-key">access key</label>',
    '<input id="own-key" autocomplete="off" spellcheck="false">',
    '<label for="own-secret">secret key</label>',
    '<input id="own-secret" type="password" autocomplete="off">',
    '</span>',
    '<p role="status" id="signing-state"></p>',
    '</form>',
  ].join('\n')
}
