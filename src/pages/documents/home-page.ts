/** The page at `/`: purpose, keys, running sandboxes, and links. */

import packageJson from '../../../package.json' with { type: 'json' }
import { DEMO_INVITE, DEMO_KEYS } from '../../contract/documents/demo-keys.ts'
import { escaped, htmlPage, PAGE_LINKS } from './html-page.ts'

/** HTML; `home.js` fills in the running sandboxes from the control plane. */
export function homePage(): string {
  const main = [
    '<h1>Tapewright</h1>',
    '<p>A local stand-in for a crypto market-data service, HTTP and WebSocket. It answers from a ',
    'seeded world and plays a recorded market into it. ',
    `Version ${escaped(packageJson.version)}.</p>`,
    '<h2>Base addresses and keys</h2>',
    '<dl><dt>base URL</dt><dd><code id="base"></code></dd>',
    '<dt>sockets</dt><dd><code id="sockets"></code></dd>',
    `<dt>invite token</dt><dd><code>${DEMO_INVITE}</code></dd></dl>`,
    keyTable(),
    '<p>Every request is signed with one of them: <a href="/reference/conventions">how</a>; ',
    '<a href="/swagger">the page of operations</a> does it by itself.</p>',
    RUNNING,
    '<h2>Pages and documents</h2>',
    `<ul>${LINKS.map(([path, about]) => linkItem(path, about)).join('')}</ul>`,
  ]
  return htmlPage({ title: 'Start', path: '/', main: main.join('\n'), scripts: ['/pages/home.js'] })
}

/** The same for programs. */
export function homeDocument(): object {
  return {
    name: packageJson.name,
    version: packageJson.version,
    links: Object.fromEntries(LINKS.map(([path, about]) => [path, about])),
  }
}

const LINKS: readonly (readonly [path: string, about: string])[] = [
  ...PAGE_LINKS.slice(1).map(({ path, about }) => [path, about] as const),
  ['/openapi.json', 'every operation, OpenAPI 3.1'],
  ['/asyncapi.json', 'the sockets, AsyncAPI 3'],
  ['/_control/openapi.json', 'the control plane, OpenAPI 3.1'],
  ['/_control/sandboxes', 'the sandboxes of this server'],
  ['/_control/health', 'whether the server is live and ready'],
  ['/_control/metrics', 'metrics of the server, for Prometheus'],
]

const RUNNING = `
<h2>What is running</h2>
<p role="status" id="state">Needs JavaScript; <a href="/_control/sandboxes">as JSON</a>.</p>
<form id="access" hidden>
<label for="token">Token of the control plane (TAPEWRIGHT_CONTROL_TOKEN)</label>
<input id="token" type="password" autocomplete="off"> <button type="submit">Show</button>
</form>
<div class="scroll" tabindex="0" id="running" hidden>
<table>
<caption>The first 100 sandboxes, every two seconds</caption>
<thead><tr><th scope="col">sandbox</th><th scope="col">session clock</th>
<th scope="col">speed</th><th scope="col">market shown as of</th><th scope="col">tape</th>
<th scope="col">scenarios</th><th scope="col">sockets</th></tr></thead>
<tbody></tbody>
</table>
</div>`

function keyTable(): string {
  const rows = DEMO_KEYS.map(
    ({ accessKey, secretKey, about }) =>
      `<tr><td><code>${accessKey}</code></td><td><code>${secretKey}</code></td>` +
      `<td>${escaped(about)}</td></tr>`,
  )
  return [
    '<div class="scroll" tabindex="0"><table class="keys"><thead><tr>',
    '<th scope="col">access key</th><th scope="col">secret key</th>',
    '<th scope="col">may do</th></tr></thead>',
    `<tbody>${rows.join('')}</tbody></table></div>`,
  ].join('\n')
}

const linkItem = (path: string, about: string): string =>
  `<li><a href="${path}">${path}</a>: ${escaped(about)}</li>`
