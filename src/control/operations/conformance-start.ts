import { Type } from '../../contract/schema.ts'
import { UserError } from '../../user-error.ts'
import { ConformanceRun } from '../conformance/conformance-run.ts'
import { latestRuns, RunRecord, runRecord } from '../conformance/run-records.ts'
import { loadSuite } from '../conformance/suite.ts'
import { BusyError } from '../control-errors.ts'
import { controlOperation } from '../control-operation.ts'

const Key = Type.Object(
  { accessKey: Type.String({ minLength: 1 }), secretKey: Type.String({ minLength: 1 }) },
  { title: 'KeyPair', additionalProperties: false },
)

export const conformanceStart = controlOperation({
  id: 'conformance.start',
  method: 'POST',
  path: '/conformance',
  storesNothing: true,
  title: 'Run the conformance suite',
  about:
    'Against a target with its keys; without one, against a sandbox of this server that is made ' +
    'for it and dropped. One at a time. The call answers at once: the run is watched by `GET`.',
  params: {
    body: Type.Object({
      target: Type.Optional(
        Type.String({ pattern: '^https?://', 'x-form': 'a URL', description: 'its base URL' }),
      ),
      keys: Type.Optional(
        Type.Object(
          { full: Key, partner: Type.Optional(Key), sub: Type.Optional(Key) },
          { additionalProperties: false, description: 'there; `full` at least, with a target' },
        ),
      ),
      only: Type.Optional(
        Type.Array(Type.String({ minLength: 1 }), {
          maxItems: 100,
          description: 'cases whose id begins so; all when left out',
        }),
      ),
      ratePerMinute: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'requests at most' }),
      ),
    }),
  },
  examples: [{ name: 'a few cases', body: { only: ['authentication'] } }],
  data: RunRecord,
  answer({ body }, { registry, origin, token }) {
    const suite = loadSuite()
    if (!suite) throw new UserError('there is no suite here: run `tapewright conform`')
    if (latestRuns.get(registry)?.isRunning)
      throw new BusyError('a run is on: stop it with DELETE, or wait until it is over')
    const { target, keys, only, ratePerMinute } = body
    if ((target === undefined) !== (keys === undefined))
      throw new UserError('target and keys belong together: send both, or none for this server')
    const place =
      target === undefined || keys === undefined
        ? { controlUrl: `${origin}/_control`, controlToken: token }
        : { baseUrl: target, keys }
    const settings = {
      ...place,
      ...(only === undefined ? {} : { only }),
      ...(ratePerMinute === undefined ? {} : { ratePerMinute }),
      systemClock: registry.systemClock,
    }
    const run = new ConformanceRun(suite, target ?? 'this server', settings, registry.systemClock)
    latestRuns.set(registry, run)
    return runRecord(registry)
  },
})
