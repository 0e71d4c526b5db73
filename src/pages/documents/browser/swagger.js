/** Shows an OpenAPI document; calls of the contract are signed with the selected key. */
const place = document.getElementById('swagger-ui')
const form = document.getElementById('signing')
const base = /^\/s\/[^/]+/.exec(location.pathname)?.[0] ?? ''
const dark = matchMedia('(prefers-color-scheme: dark)')

function followColours() {
  document.documentElement.classList.toggle('dark-mode', dark.matches)
}

/** The document limited to this server, without signature parameters, which are added here. */
async function loadDocument() {
  const answer = await fetch(base + place.dataset.document)
  const spec = await answer.json()
  delete spec.servers
  if (!form) return spec
  delete spec.security
  delete spec.components.securitySchemes
  for (const methods of Object.values(spec.paths))
    for (const operation of Object.values(methods)) delete operation.security
  return spec
}

async function show() {
  followColours()
  dark.addEventListener('change', followColours)
  const spec = await loadDocument()
  place.replaceChildren()
  new MutationObserver(nameFields).observe(place, { childList: true, subtree: true })
  SwaggerUIBundle({
    domNode: place,
    spec,
    deepLinking: true,
    docExpansion: 'none',
    tryItOutEnabled: true,
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
    syntaxHighlight: false,
    plugins: [withoutNestedLinks, withOwnReferences],
    requestInterceptor: form ? prepared : (request) => request,
  })
}

/** Adds missing screen reader names and keyboard access to the package's elements. */
function nameFields() {
  for (const [selector, name] of FIELD_NAMES)
    for (const field of place.querySelectorAll(`${selector}:not([aria-label])`))
      field.setAttribute('aria-label', name)
  for (const block of place.querySelectorAll('pre:not([tabindex])')) block.tabIndex = 0
}

const FIELD_NAMES = [
  ['.examples-select-element', 'Example'],
  ['.content-type', 'Content type'],
  ['.body-param__text', 'Request body'],
  ['.parameters select', 'Value'],
  ['.parameters textarea', 'Value'],
]

/** Links inside buttons are inaccessible to keyboards and screen readers. */
function withoutNestedLinks({ React }) {
  const DeepLink = ({ text }) => React.createElement('span', null, text)
  return { wrapComponents: { DeepLink: () => DeepLink } }
}

/**
 * Follows references within the document, which has no others. The resolver of the package reads
 * the whole document anew for each operation that is opened, which takes a second.
 */
function withOwnReferences() {
  const resolveSubtree = async (document, path) => {
    const part = path.reduce((at, name) => at?.[name], document)
    return { spec: resolved(part, document, []), errors: [] }
  }
  return { fn: { resolveSubtree } }
}

/** A copy without references, but those to what it is itself a part of. */
function resolved(part, document, within) {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map((each) => resolved(each, document, within))
  const { $ref: reference, ...rest } = part
  if (typeof reference === 'string') {
    if (within.includes(reference)) return part
    const names = reference.slice('#/'.length).split('/')
    const named = names.reduce((at, name) => at?.[unescaped(name)], document)
    return resolved({ ...named, ...rest }, document, [...within, reference])
  }
  return Object.fromEntries(
    Object.entries(part).map(([name, each]) => [name, resolved(each, document, within)]),
  )
}

const unescaped = (name) => name.replaceAll('~1', '/').replaceAll('~0', '~')

/** The request to this sandbox, signed. */
async function prepared(request) {
  const url = new URL(request.url)
  url.pathname = base + url.pathname
  const { accessKey, secretKey } = chosenKey()
  if (accessKey !== null) {
    const parameters = await credentials(accessKey, secretKey)
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  }
  request.url = url.href
  return request
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
  form.addEventListener('submit', (event) => event.preventDefault())
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

if (form) listKeys()
show()
