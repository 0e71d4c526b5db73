import { controlOperation } from '../control-operation.ts'
import { DigestRecord, digestRecord } from '../digest-record.ts'

export const digest = controlOperation({
  id: 'digest',
  method: 'GET',
  path: '/sandboxes/:id/digest',
  title: 'The digest of everything that the sandbox has sent',
  about:
    'Covers answers to requests and frames of sockets since the sandbox was made or reset, in ' +
    'this process. Two sandboxes with the same requests at the same instants of a held clock ' +
    'have the same digest; the order of parallel requests does not matter. Calls of the ' +
    'control plane are not included.',
  data: DigestRecord,
  answer: (_, { sandbox }) => digestRecord(sandbox()),
})
