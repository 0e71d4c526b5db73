import { permission } from '../../access.ts'
import { B } from '../../envelope.ts'
import { INFO_TYPES } from '../../info/index.ts'
import { operation } from '../../operation.ts'
import { readBody } from '../../reading.ts'
import { rebaseOf } from '../../rebase.ts'
import { isRefusal, type Refusal } from '../../refusal.ts'
import { Type } from '../../schema.ts'

const byType = new Map(INFO_TYPES.map((info) => [info.type, info]))

export const info = operation({
  id: 'perpdex.info',
  method: 'POST',
  path: '/hl/info',
  title: "The perpetual venue's own questions",
  about: "The body is the venue's, routed by `type`; the answer is the venue's, in envelope B.",
  source: 'Action map, Info proxy',
  envelope: B(),
  access: permission('HL_INFO'),
  params: {
    body: Type.Object(
      { type: Type.String({ description: INFO_TYPES.map((one) => one.type).join(', ') }) },
      { additionalProperties: true },
    ),
  },
  data: Type.Unknown({ description: 'as the venue answers this type' }),
  refuses: ['infoType', 'missing', 'invalid'],
  assumed: ['An unknown type is HTTP 200 with code "400".'],
  examples: INFO_TYPES.flatMap((one) =>
    one.examples.map((rest) => ({ name: one.title, body: { type: one.type, ...rest } })),
  ),
  answer: ({ body }, facts): unknown => {
    const found = byType.get(body.type)
    if (!found) return { refused: 'infoType', type: body.type } satisfies Refusal
    const { shiftMs } = facts.moment
    const request = readBody(found.request, body)
    if (isRefusal(request)) return request
    const asked = rebaseOf(found.request)?.(request, -shiftMs) ?? request
    const data = found.answer(asked as never, facts)
    return rebaseOf(found.data)?.(data, shiftMs) ?? data
  },
})
