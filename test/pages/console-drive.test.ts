/** Drive in Chromium: buttons have effects that a client sees. */
import { expect, test } from 'bun:test'
import { hostClock } from '../../src/clock/system-clock.ts'
import { openConsole } from '../fixtures/console-page.ts'
import { consoleServer } from '../fixtures/console-server.ts'

const { origin, heldSandbox, browser } = await consoleServer()

/** A missing frame after so many responses never comes. */
const POLLS_MAX = 100_000

test('buttons in Drive have effects that a client sees', async () => {
  const { control, hash, service } = await heldSandbox('driven')
  const { page, errors, close } = await openConsole(browser(), origin, hash('drive'))
  const record = () => control.get()
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const until = async (holds: (now: Awaited<ReturnType<typeof record>>) => boolean) => {
    for (let polls = 0; polls < POLLS_MAX; polls++) {
      if (holds(await record())) return
      await hostClock.yieldTurn()
    }
    throw new Error(`it never holds: ${holds}; ${JSON.stringify(await record())}`)
  }
  // A key changes the page, which follows the server.
  const shown = (name: string) =>
    page.getByRole('button', { name, exact: true, pressed: true }).waitFor()
  await press('50×')
  await until(({ playhead }) => playhead.speed === 50)
  await shown('50×')
  await page.keyboard.press('ArrowDown')
  await until(({ playhead }) => playhead.speed === 20)
  await shown('20×')
  await press('Pause')
  await until(({ playhead }) => playhead.speed === 0)
  await press('Play')
  await until(({ playhead }) => playhead.speed === 20)
  await press('1×')
  await press('loop')
  await until(({ playhead }) => playhead.end === 'loop')
  await press('continue')
  await until(({ playhead }) => playhead.end === 'continue' && playhead.speed === 1)
  const before = await record()
  await press('31 s')
  await until(({ clock }) => clock.now === before.clock.now + 31_000)
  // Until the call is answered, present signatures are too old.
  const advanced = page.locator('.advance[aria-busy="false"]')
  await advanced.waitFor()
  expect((await record()).playhead.at).toBe(before.playhead.at + 31_000)
  const price = () => service.perpdex.ticker({ path: { coin: 'BTC' } })
  const priceBefore = Number((await price())?.price)
  await press('Crash')
  await page.getByLabel('Duration, s').fill('20')
  await press('Trigger')
  await page.locator('.scheduled tbody tr').waitFor()
  const { events } = await control.market.events()
  expect(events.map(({ event }) => event)).toMatchObject([{ kind: 'move', coin: 'BTC', pct: -6 }])
  await press('60 s')
  await until(({ clock }) => clock.now === before.clock.now + 91_000)
  await advanced.waitFor()
  expect(Number((await price())?.price)).toBeLessThan(priceBefore * 0.98)
  await page.getByRole('button', { name: 'Step to the next event' }).click()
  await until(({ playhead }) => playhead.at > before.playhead.at + 91_000)
  await page.getByLabel('Name of the bookmark').fill('here')
  await press('Bookmark here')
  await page.getByText('Bookmarked “here”').waitFor()
  const { at } = (await record()).playhead
  expect([...(await control.bookmarks.list())]).toEqual([{ bookmark: 'here', at }])
  await press('To the start of the tape')
  await until(({ playhead }) => playhead.at === playhead.start)
  await press('the market stays')
  await press('1 s')
  await until(({ clock }) => clock.now > before.clock.now + 91_000)
  await advanced.waitFor()
  const { playhead } = await record()
  expect(playhead.at).toBe(playhead.start)
  await control.playhead.set({ at })
  await press('running')
  await until(({ clock }) => clock.state === 'running')
  await page.getByRole('slider', { name: /drag to seek/ }).click({ position: { x: 300, y: 60 } })
  await until(({ playhead }) => playhead.at < before.playhead.at)
  // A signature from just before the clock moves by 31 s may arrive too late.
  expect(errors.filter((text) => !text.endsWith('a status of 401 (Unauthorized)'))).toEqual([])
  service.close()
  await close()
})
