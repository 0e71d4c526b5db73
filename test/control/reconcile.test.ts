/** Whether the answers about an address agree, as the control plane tells it. */
import { expect, test } from 'bun:test'
import { IDENTITIES } from '../../src/contract/identities.ts'
import { controlCaller } from '../fixtures/control-caller.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'

const { registry, sandbox, cast } = await recordedRegistry()
const call = controlCaller(registry)
const params = { id: sandbox.id }
const [address = ''] = Object.values(cast().addresses)

test('all identities of an address are shown with both sides', async () => {
  const { status, body } = await call('reconcile', { params, query: `address=${address}` })
  expect(status).toBe(200)
  expect(body).toMatchObject({ address, holds: true })
  expect(body.identities.map(({ id }: { id: string }) => id)).toEqual(
    IDENTITIES.map(({ id }) => id),
  )
  for (const { count, compared, holds } of body.identities) {
    expect(compared.length).toBe(Math.min(count, 50))
    expect(holds).toBe(true)
    for (const one of compared) expect(one).not.toHaveProperty('records')
  }
})

test('one identity is shown alone, with its records where they are wanted', async () => {
  const query = `address=${address}&identity=cash&records=true`
  const { body } = await call('reconcile', { params, query })
  expect(body.identities).toHaveLength(1)
  const [{ id, compared }] = body.identities
  expect(id).toBe('cash')
  const [{ left, right, difference, records }] = compared
  expect([left, difference]).toEqual([right, '0'])
  expect(Object.keys(records)).toEqual(['paidIn', 'closed', 'fees', 'funding', 'unrealised'])
})

test('an address without anything agrees with itself, and a wrong one is refused', async () => {
  const nobody = `0x${'0'.repeat(40)}`
  const { body } = await call('reconcile', { params, query: `address=${nobody}` })
  expect(body.holds).toBe(true)
  for (const query of ['', 'address=0x12', `address=${nobody}&identity=all`]) {
    const refused = await call('reconcile', { params, query }).catch((error) => error)
    expect(String(refused.body?.error ?? refused.message)).toMatch(/address|identity/)
  }
})
