/** The alerts that are set, and how a case leaves none of its own. */
import { signalAlertSettings } from '../../../contract/operations/signal/alert-settings.ts'
import { assertList, assertObject, assertSame } from '../../assertions.ts'
import { rowsIn } from '../../derived/asked-operation.ts'
import { isJsonObject, type JsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import { objectOf } from '../../response-reading.ts'
import { schemaMismatch } from '../../schema-mismatch.ts'

/** The alerts that are set; their count is looked at. */
export async function settings(probe: Probe): Promise<JsonObject[]> {
  const data = await objectOf(probe, { path: '/signal/getSignalAlertSetList' })
  assertList(probe, data.list, 'list is a list of alerts')
  for (const one of data.list) assertObject(probe, one, 'an alert is an object')
  const flaw = schemaMismatch(signalAlertSettings.data, data)
  assertSame(probe, flaw, null, `the alerts that are set: ${flaw}`)
  assertSame(probe, data.count, String(data.list.length), 'count is the number of alerts, as text')
  return data.list as JsonObject[]
}

/** Removes in the end what was not set before, whatever happens; what is wrong there is no news. */
export async function leavingNone(
  probe: Probe,
  use: (before: readonly string[]) => Promise<void>,
): Promise<void> {
  const before = ids(await settings(probe))
  try {
    await use(before)
  } finally {
    const { lookup } = probe
    for (const id of await listedIds(lookup))
      if (!before.includes(id))
        await lookup.request({ path: '/signal/delSignalAlert', query: { id } })
  }
}

/** Ids as they are listed, however wrong the list is: nothing thrown here hides what was found. */
async function listedIds(lookup: Probe): Promise<string[]> {
  const { json } = await lookup.request({ path: '/signal/getSignalAlertSetList' })
  return isJsonObject(json)
    ? rowsIn(json.data)
        .filter(isJsonObject)
        .map(({ id }) => String(id))
    : []
}

/** Ids in order of their numbers. */
export const sorted = (names: Iterable<string>) => [...names].sort((a, b) => Number(a) - Number(b))

/** Their ids, in order. */
export const ids = (rows: readonly JsonObject[]) => sorted(rows.map(({ id }) => String(id)))
