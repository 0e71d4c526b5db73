/**
 * Shows an OpenAPI document. Its trials are signed with the selected key, or have the typed token.
 */
const settings = document.getElementById('api-reference')
const place = document.getElementById('main')
const bar = document.getElementById('bar')
const form = document.getElementById('signing')
const token = document.getElementById('token')
const base = /^\/s\/[^/]+/.exec(location.pathname)?.[0] ?? ''

/** The document limited to this server, without its security, which is added here. */
async function loadDocument() {
  const answer = await fetch(settings.dataset.url)
  const content = await answer.json()
  content.servers = [{ url: location.origin + base }]
  delete content.security
  delete content.components.securitySchemes
  for (const methods of Object.values(content.paths))
    for (const operation of Object.values(methods)) delete operation.security
  return content
}

async function show() {
  // The bundle would show the document of this element by itself, without a request hook.
  settings.removeAttribute('id')
  const attributes = ['role', 'tabindex', 'aria-controls', 'aria-describedby', 'aria-labelledby']
  const watched = { childList: true, subtree: true, attributeFilter: attributes }
  new MutationObserver(correctElements).observe(document.body, watched)
  const [content] = await Promise.all([loadDocument(), loadScalar()])
  const { spec: _, ...configuration } = JSON.parse(settings.dataset.configuration)
  globalThis.Scalar.createApiReference(place, {
    ...configuration,
    content,
    onBeforeRequest: token ? authorize : sign,
  })
}

const loadScalar = () =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = '/swagger/scalar.js'
    script.onload = resolve
    script.onerror = reject
    document.head.append(script)
  })

/** Corrects elements of the bundle for keyboards and screen readers. */
function correctElements() {
  for (const [selector, name, value] of MISSING)
    for (const element of document.querySelectorAll(`${selector}:not([${name}])`))
      element.setAttribute(name, value)
  for (const element of document.querySelectorAll('button[role="none"]'))
    element.removeAttribute('role')
  for (const element of document.querySelectorAll('.cm-scroller[tabindex="-1"]'))
    element.tabIndex = 0
  for (const name of ['aria-controls', 'aria-describedby', 'aria-labelledby'])
    for (const element of document.querySelectorAll(`[${name}]`))
      if (
        !element
          .getAttribute(name)
          .split(' ')
          .some((id) => document.getElementById(id))
      )
        element.removeAttribute(name)
}

const MISSING = [
  ['[role="combobox"]', 'aria-expanded', 'false'],
  ['[role="combobox"]', 'aria-controls', 'main'],
  ['.cm-content', 'aria-label', 'Body'],
]

/** The bars of the bundle stay below ours. */
const observer = new ResizeObserver(() => {
  const height = `${bar.offsetHeight}px`
  document.documentElement.style.setProperty('--scalar-custom-header-height', height)
})

/** Adds the token to a request before it is sent. */
function authorize({ requestBuilder }) {
  if (token.value !== '') requestBuilder.headers.set('authorization', `Bearer ${token.value}`)
}

/** Adds the signature to a request before it is sent. */
async function sign({ requestBuilder }) {
  const { accessKey, secretKey } = chosenKey()
  if (accessKey === null) return
  const parameters = await credentials(accessKey, secretKey)
  for (const [name, value] of Object.entries(parameters)) requestBuilder.query.set(name, value)
}
function chosenKey() {
  const [option] = document.getElementById('key').selectedOptions
  if (option.dataset.kind === 'none') return { accessKey: null, secretKey: null }
  if (option.dataset.kind !== 'own')
    return { accessKey: option.value, secretKey: option.dataset.secret }
  const typed = (id) => document.getElementById(id).value
  return { accessKey: typed('own-key'), secretKey: typed('own-secret') }
}

/** HMAC-SHA1 as lower-case hexadecimal text, that text in Base64. */
async function credentials(accessKey, secretKey) {
  if (!crypto.subtle) throw new Error('browsers sign on https and on localhost only')
  if (!accessKey || !secretKey) throw new Error('give the access key and the secret key')
  const parameters = {
    AccessKeyId: accessKey,
    SignatureNonce: crypto.randomUUID(),
    Timestamp: String(Math.floor(Date.now() / 1000)),
  }
  const text = Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  const utf8 = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-1' }
  const secret = utf8.encode(secretKey)
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign'])
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8.encode(text)))
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return { ...parameters, Signature: btoa(hex) }
}

/** Keys of a sandbox, from its snapshot, which the control plane returns to its own pages. */
async function listKeys() {
  const list = document.getElementById('key')
  const own = document.getElementById('own')
  const state = document.getElementById('signing-state')
  const follow = () => {
    own.hidden = list.selectedOptions[0].dataset.kind !== 'own'
  }
  list.addEventListener('change', follow)
  if (!crypto.subtle)
    state.textContent = 'Browsers sign on https and on localhost only: open this page there.'
  if (base === '') return
  for (const option of [...list.options]) if (!option.dataset.kind) option.remove()
  follow()
  const answer = await fetch(`/_control/sandboxes${base.slice(2)}/snapshot`)
  const body = await answer.json()
  if (!answer.ok) {
    state.textContent = `The keys of this sandbox are not shown: ${body.error}`
    return
  }
  for (const { accessKey, secretKey, name } of body.keys.toReversed()) {
    const option = new Option(`${accessKey}: ${name}`, accessKey, false)
    option.dataset.secret = secretKey
    list.prepend(option)
  }
  list.value = body.progress.initialKeys.full.accessKey
  follow()
}

observer.observe(bar)
form.addEventListener('submit', (event) => event.preventDefault())
if (!token) listKeys()
show()
