import type { Deviation } from '../deviation.ts'
import { acceptingAnybody } from './resigning.ts'
import { answer, body, data, deviationsOf } from './shorthand.ts'

/** Deviations of refusals. */
export const ERRORS_DEVIATIONS: readonly Deviation[] = [
  ...deviationsOf('errors.permission', {
    'a missing permission is HTTP 200': answer(/./, (text) =>
      text.includes('"403"') ? { status: 200 } : text,
    ),
  }),
  ...deviationsOf('errors.permission', {
    'a missing permission is not named': answer(/./, (text) =>
      text.replace(/Permission denied: \w+/, 'Permission denied'),
    ),
  }),
  ...deviationsOf('errors.nothing-granted', {
    'a key without rights may read coins': acceptingAnybody(/\/coin\?.*demo-bare/),
  }),
  ...deviationsOf('errors.missing', {
    'a missing parameter is not named': answer(/./, (text) =>
      text.replace(/missing required parameter: \w+/, 'missing'),
    ),
  }),
  ...deviationsOf('errors.missing', {
    'a missing parameter is answered with an empty list': answer(/depth/, (text) =>
      text.includes('missing') ? { status: 200, text: '{"code":"0","msg":"","data":[]}' } : text,
    ),
  }),
  ...deviationsOf('errors.position', {
    'a position that is not there is HTTP 404': answer(/completed/, (text) =>
      text.includes('not found') ? { status: 404 } : text,
    ),
  }),
  ...deviationsOf('errors.no-position', {
    'no position is an error': answer(/current-position/, (text) =>
      text.includes('"data":null') ? '{"code":"400","msg":"no position","data":null}' : text,
    ),
  }),
  ...deviationsOf('errors.no-order', {
    'no order is an empty object': body(/oid/, (envelope) => ({
      ...envelope,
      data: envelope.data ?? {},
    })),
  }),
  ...deviationsOf('errors.empty-depth', {
    'latest-depth of nothing is null': data(/latest-depth/, (depth) =>
      depth.length === 0 ? null : depth,
    ),
  }),
  ...deviationsOf('errors.secrets', {
    'a secret key is shown': answer(/./, (text) =>
      text.replace('"data"', '"hint":"demo-secret","data"'),
    ),
  }),
  ...deviationsOf('errors.silent-caps', {
    'too many addresses are an error': body(/statistics/, (envelope) =>
      envelope.data?.length === 50 ? { code: '400', msg: 'too many', data: null } : envelope,
    ),
  }),
]
