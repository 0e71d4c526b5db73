/** Starts the sandbox, lets the page of the application use the service, and offers its switches. */
import { setupWorker } from 'msw/browser'
import { pocketSandbox } from 'tapewright/browser'
import { handlers } from 'tapewright/msw'
import { showMarket } from './market.js'

const SERVICE = 'https://api.market-data.example'
const SCENARIOS = ['none', 'stale-book', 'flaky-sockets', 'maintenance', 'crossed-book']

const element = (id) => document.getElementById(id)
const say = (text) => {
  element('status').textContent = text
}

async function start() {
  const sandbox = await pocketSandbox({ files: new URL('tapewright/', document.baseURI).href })
  const worker = setupWorker(...handlers(sandbox, { origin: SERVICE }))
  await worker.start({ quiet: true, onUnhandledFrame: 'bypass' })
  offerSwitches(sandbox)
  await showMarket({ baseUrl: SERVICE, ...sandbox.keys.full }, say)
}

/** What else a server's control plane would be asked for. */
function offerSwitches({ control, clock }) {
  let isHeld = false
  const scenario = element('scenario')
  scenario.append(...SCENARIOS.map((name) => new Option(name)))
  const switches = {
    scenario: ['change', () => setScenario(control, scenario.value)],
    clock: ['click', async () => {
      await (isHeld ? clock.run() : clock.hold())
      isHeld = !isHeld
      element('clock').textContent = isHeld ? 'Let the clock run' : 'Hold the clock'
    }],
    minute: ['click', () => clock.advance(60_000)],
    fall: ['click', () => control.market.trigger({ kind: 'move', coin: 'BTC', pct: -5, overS: 60 })],
  }
  for (const [id, [event, task]] of Object.entries(switches)) {
    element(id).disabled = false
    element(id).addEventListener(event, () => task().catch(({ message }) => say(message)))
  }
}

const setScenario = (control, name) =>
  name === 'none' ? control.scenario.clear() : control.scenario.set({ name })

start().catch(({ message }) => say(message))
