import { latestRuns, RunRecord, runRecord } from '../conformance/run-records.ts'
import { controlOperation } from '../control-operation.ts'

export const conformanceStop = controlOperation({
  id: 'conformance.stop',
  method: 'DELETE',
  path: '/conformance',
  storesNothing: true,
  title: 'Stop the run of the suite',
  about: 'Its results so far are kept. Without a run, the call does nothing.',
  data: RunRecord,
  answer(_, { registry }) {
    latestRuns.get(registry)?.stop()
    return runRecord(registry)
  },
})
