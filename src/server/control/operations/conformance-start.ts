import { Type } from '../../../contract/schema.ts'
import { UserError } from '../../../platform/user-error.ts'
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
    'Runs it against a target with its keys. Without a target, makes a sandbox on this server ' +
    'for the run and drops it afterwards. One run at a time. The call answers at once; read ' +
    'the progress with `GET`.',
  params: {
    body: Type.Object({
      target: Type.Optional(
        Type.String({ pattern: '^https?://', 'x-form': 'a URL', description: 'its base URL' }),
      ),
      keys: Type.Optional(
        Type.Object(
          { full: Key, partner: Type.Optional(Key), sub: Type.Optional(Key) },
          { additionalProperties: false, description: 'keys of the target; at least `full`' },
        ),
      ),
      only: Type.Optional(
        Type.Array(Type.String({ minLength: 1 }), {
          maxItems: 100,
          description: 'only cases whose id begins with this; all by default',
        }),
      ),
      ratePerMinute: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'maximum requests a minute' }),
      ),
    }),
  },
  examples: [{ name: 'a few cases', body: { only: ['authentication'] } }],
  data: RunRecord,
  answer({ body }, { registry, origin, token }) {
    const suite = loadSuite()
    if (!suite) throw new UserError('this server has no suite: run `tapewright conform`')
    if (latestRuns.get(registry)?.isRunning)
      throw new BusyError('a run is in progress: stop it with DELETE, or wait until it ends')
    const { target, keys, only, ratePerMinute } = body
    if ((target === undefined) !== (keys === undefined))
      throw new UserError('send both target and keys, or neither to check this server')
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
