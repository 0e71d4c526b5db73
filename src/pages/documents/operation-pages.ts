/** Pages that show an OpenAPI document and try its operations. */
import { DEMO_KEYS } from '../../contract/documents/demo-keys.ts'
import { escaped, pageHead, pageHeader } from './html-page.ts'
import type { ShownDocument } from './pages.ts'

/** The contract's operations; trials are signed with the selected key. */
export const contractOperations = (): ShownDocument =>
  shown('Operations', '/swagger', '/openapi.json', signingForm())

/** The calls of the control plane. */
export const controlOperations = (): ShownDocument =>
  shown('Control plane', '/_control', '/_control/openapi.json', TOKEN_FORM)

function shown(title: string, path: string, documentPath: string, form: string): ShownDocument {
  const style = '/pages/operations.css'
  return {
    title,
    path,
    documentPath,
    script: '/pages/operations.js',
    head: pageHead([style]),
    above: `<div id="bar">${pageHeader(path)}${form}</div><div id="main" tabindex="-1"></div>`,
  }
}

const TOKEN_FORM = [
  '<form id="signing" aria-label="Token of trials">',
  '<label for="token">Token, on another address than loopback</label>',
  '<input id="token" type="password" autocomplete="off" placeholder="TAPEWRIGHT_CONTROL_TOKEN">',
  '</form>',
].join('\n')

function signingForm(): string {
  const keys = DEMO_KEYS.map(
    ({ accessKey, secretKey, about }) =>
      `<option value="${accessKey}" data-secret="${secretKey}">` +
      `${accessKey}: ${escaped(about)}</option>`,
  )
  return [
    '<form id="signing" aria-label="Signature of trials">',
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
    '<span role="status" id="signing-state"></span>',
    '</form>',
  ].join('\n')
}
