import { answer, body, type Deviation, data, deviationsOf } from './deviation.ts'
import { acceptingAnySignature } from './transports.ts'

/** What a service can do wrong in refusals. */
export const ERRORS_DEVIATIONS: readonly Deviation[] = [
  {
    title: 'a missing permission is HTTP 200',
    caseId: 'errors.permission',
    apply: answer(/./, (text) => (text.includes('"403"') ? { status: 200 } : text)),
  },
  {
    title: 'a missing permission is not named',
    caseId: 'errors.permission',
    apply: answer(/./, (text) => text.replace(/Permission denied: \w+/, 'Permission denied')),
  },
  {
    title: 'a key without rights may read coins',
    caseId: 'errors.nothing-granted',
    apply: (transport) => {
      const open = acceptingAnySignature(transport)
      const isCoins = (path: string) => /\/coin\?.*demo-bare/.test(path)
      const request = (sent: Parameters<typeof transport.request>[0]) =>
        (isCoins(sent.path) ? open : transport).request(sent)
      return { ...transport, request }
    },
  },
  {
    title: 'a missing parameter is not named',
    caseId: 'errors.missing',
    apply: answer(/./, (text) => text.replace(/missing required parameter: \w+/, 'missing')),
  },
  {
    title: 'a missing parameter is answered with an empty list',
    caseId: 'errors.missing',
    apply: answer(/depth/, (text) =>
      text.includes('missing') ? { status: 200, text: '{"code":"0","msg":"","data":[]}' } : text,
    ),
  },
  {
    title: 'a position that is not there is HTTP 404',
    caseId: 'errors.position',
    apply: answer(/completed/, (text) => (text.includes('not found') ? { status: 404 } : text)),
  },
  {
    title: 'no position is an error',
    caseId: 'errors.no-position',
    apply: answer(/current-position/, (text) =>
      text.includes('"data":null') ? '{"code":"400","msg":"no position","data":null}' : text,
    ),
  },
  {
    title: 'no order is an empty object',
    caseId: 'errors.no-order',
    apply: body(/oid/, (envelope) => ({ ...envelope, data: envelope.data ?? {} })),
  },
  {
    title: 'latest-depth of nothing is null',
    caseId: 'errors.empty-depth',
    apply: data(/latest-depth/, (depth) => (depth.length === 0 ? null : depth)),
  },
  {
    title: 'a secret key is shown',
    caseId: 'errors.secrets',
    apply: answer(/./, (text) => text.replace('"data"', '"hint":"demo-secret","data"')),
  },
  ...deviationsOf('errors.silent-caps', {
    'too many addresses are an error': body(/statistics/, (envelope) =>
      envelope.data?.length === 50 ? { code: '400', msg: 'too many', data: null } : envelope,
    ),
  }),
]
