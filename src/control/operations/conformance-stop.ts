import { latestRuns, RunRecord, runRecord } from '../conformance/run-records.ts'
import { controlOperation } from '../control-operation.ts'

export const conformanceStop = controlOperation({
  id: 'conformance.stop',
  method: 'DELETE',
  path: '/conformance',
  storesNothing: true,
  title: 'Stop the run of the suite',
  about: 'What it has found by then stays. Without a run nothing happens.',
  data: RunRecord,
  answer(_, { registry }) {
    latestRuns.get(registry)?.stop()
    return runRecord(registry)
  },
})
