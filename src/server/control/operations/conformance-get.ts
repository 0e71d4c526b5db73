import { Type } from '../../../contract/schema.ts'
import { RunRecord, runRecord } from '../conformance/run-records.ts'
import { controlOperation } from '../control-operation.ts'

export const conformanceGet = controlOperation({
  id: 'conformance.get',
  method: 'GET',
  path: '/conformance',
  title: 'The state of the latest run of the suite',
  params: {
    query: Type.Object({
      case: Type.Optional(Type.String({ description: 'a failed case, to be returned in full' })),
    }),
  },
  data: RunRecord,
  answer: ({ query }, { registry }) => runRecord(registry, query.case),
})
