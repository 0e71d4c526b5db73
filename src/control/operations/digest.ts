import { controlOperation } from '../control-operation.ts'
import { DigestRecord, digestRecord } from '../digest-record.ts'

export const digest = controlOperation({
  id: 'digest',
  method: 'GET',
  path: '/sandboxes/:id/digest',
  title: 'One line for everything that the sandbox has said',
  about:
    'Since it was made or reset, in this process: answers to requests, and frames of sockets. ' +
    'Two that were asked the same at the same instants of a held clock have the same one, in ' +
    'whatever order parallel requests came. Calls of the control plane are not in it.',
  data: DigestRecord,
  answer: (_, { sandbox }) => digestRecord(sandbox()),
})
