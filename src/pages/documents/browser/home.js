/** Fills in the address and the sandboxes from the control plane. */
const state = document.getElementById('state')
const access = document.getElementById('access')
const running = document.getElementById('running')
const POLL_MS = 2000
let headers = {}

document.getElementById('base').textContent = location.origin
document.getElementById('sockets').textContent = location.origin.replace(/^http/, 'ws')

async function show() {
  const answer = await fetch('/_control/sandboxes?limit=100', { headers })
  access.hidden = answer.status !== 401
  running.hidden = !answer.ok
  if (!answer.ok) {
    const { error } = await answer.json()
    state.textContent = `What is running is not shown: ${error}`
    return answer.status === 503
  }
  const sandboxes = await answer.json()
  const isMore = answer.headers.has('link')
  state.textContent = ''
  running.querySelector('caption').textContent = isMore
    ? 'The first 100 sandboxes'
    : `Sandboxes: ${sandboxes.length}`
  running.querySelector('tbody').replaceChildren(...sandboxes.map(row))
  return true
}

function row({ id, clock, playhead, tape, scenarios, profile, counts }) {
  const cells = [
    profile === 'raw' ? `${id} (raw profile)` : link(id),
    `${clock.state}, ${time(clock.now)}`,
    speedText(playhead),
    time(playhead.shown),
    `${percent(playhead)} of ${tape}`,
    scenarios.join(', '),
    `${counts.connections}, ${counts.subscriptions} subscriptions`,
  ]
  const line = document.createElement('tr')
  for (const cell of cells) {
    const field = document.createElement('td')
    field.append(cell)
    line.append(field)
  }
  return line
}

function link(id) {
  const made = document.createElement('a')
  made.href = id === 'default' ? '/swagger' : `/s/${encodeURIComponent(id)}/swagger`
  made.textContent = id
  return made
}

const time = (ms) => new Date(ms).toISOString().replace('T', ' ').slice(0, 19)

function speedText({ speed, lagMs }) {
  const named = { 0: 'paused', 1: 'as recorded', max: 'as fast as it can' }
  const text = named[speed] ?? `${speed} times`
  return lagMs > 1000 ? `${text}, ${Math.round(lagMs / 1000)} s behind` : text
}

const percent = ({ at, start, stop }) =>
  `${Math.round(100 * Math.min(1, Math.max(0, (at - start) / (stop - start))))} %`

async function showOnAndOn() {
  try {
    if (!(await show())) return
  } catch {
    state.textContent = 'The server does not answer.'
  }
  setTimeout(showOnAndOn, POLL_MS)
}

access.addEventListener('submit', (event) => {
  event.preventDefault()
  headers = { authorization: `Bearer ${document.getElementById('token').value}` }
  showOnAndOn()
})
showOnAndOn()
