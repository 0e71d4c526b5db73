/** A target with a constant response fails or is not judged, and satisfies nothing. */
import { expect, test } from 'bun:test'
import { HAND_WRITTEN_CASES } from '../../src/conformance/cases.ts'
import { DERIVED_CASES } from '../../src/conformance/derived.ts'
import { Probe } from '../../src/conformance/probe.ts'
import { reportOf } from '../../src/conformance/report.ts'
import { runCases } from '../../src/conformance/runner.ts'
import type { Target } from '../../src/conformance/target.ts'
import { checkTarget } from '../../src/conformance/target-place.ts'
import type {
  TargetTransport,
  TransportResponse,
  TransportSocket,
} from '../../src/conformance/target-transport.ts'
import { fixedClock } from '../fixtures/fixed-clock.ts'

const json = (text: string, status = 200): TransportResponse => ({
  status,
  contentType: 'application/json',
  text,
})

const success = (data: string) =>
  json(
    `{"code":"0","msg":"success","success":true,"errorCode":200,"error":"","message":"",` +
      `"data":${data}}`,
  )

/** Constant responses, and the cases and requirements that may still pass. */
const TRIVIAL: Record<
  string,
  [answer: TransportResponse, casesMax: number, requirementsMax: number]
> = {
  'an empty list': [json('{"code":"0","data":[]}'), 0, 0],
  'an empty list in every envelope': [success('[]'), 0, 0],
  'no data in every envelope': [success('null'), 0, 0],
  'empty lists in an object': [success('{"list":[],"count":"0","detail":{}}'), 0, 0],
  'JSON null': [json('null'), 0, 0],
  'a page': [{ status: 200, contentType: 'text/html', text: '<html></html>' }, 0, 0],
  'not found': [json('{"error":"not found"}', 404), 11, 5],
  'a refused signature': [
    json('{"code":"401","msg":"Invalid signature","data":null}', 401),
    // Changes are not requested with a valid signature.
    40,
    10,
  ],
}

const key = (accessKey: string) => ({ accessKey, secretKey: `${accessKey}-secret` })
const target: Target = {
  keys: { full: key('full'), partner: key('partner'), sub: key('sub'), bare: key('bare') },
  inviteToken: 'invite',
  patienceMs: 0,
}

/** A socket without any frame. */
const mute: TransportSocket = {
  frames: [],
  closeCode: null,
  send() {},
  close() {},
  waitForActivity: async () => {},
}

const always = (answer: TransportResponse): TargetTransport => ({
  request: async () => answer,
  connect: async () => (answer.status === 200 ? mute : answer),
})

for (const [name, [answer, cases, requirements]] of Object.entries(TRIVIAL))
  test(`a target with the constant response ${name} covers next to nothing`, async () => {
    const results = await runCases([...HAND_WRITTEN_CASES, ...DERIVED_CASES], {
      target,
      transport: always(answer),
      systemClock: fixedClock,
      nonce: 'trivial',
    })
    const report = reportOf('nowhere', results)
    const held = report.requirements.filter(({ verdict }) => verdict === 'passed')
    expect(report.counts.passed).toBeLessThanOrEqual(cases)
    expect(held.length).toBeLessThanOrEqual(requirements)
    const looked = report.requirements.filter((one) => one.looked)
    expect(looked.length).toBeLessThanOrEqual(requirements + 2)
    expect(report.counts.failed).toBeGreaterThan(100)
  })

test('a target with a constant response is not judged at all', async () => {
  const probe = new Probe(target, always(success('[]')), {
    nowS: () => 0,
    nonce: () => 'first',
  })
  await expect(checkTarget(probe, 'http://there')).rejects.toThrow(
    'http://there answers every request alike: is it the service?',
  )
})
