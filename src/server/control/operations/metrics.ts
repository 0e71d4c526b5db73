import { Type } from '../../../contract/schema.ts'
import { controlOperation } from '../control-operation.ts'
import { OPEN_METRICS_TYPE, openMetricsText } from '../metrics/open-metrics.ts'
import { processMetrics } from '../metrics/process-metrics.ts'
import { countedMetrics } from '../metrics/request-metrics.ts'
import { sandboxMetrics } from '../metrics/sandbox-metrics.ts'
import { serverMetrics } from '../metrics/server-metrics.ts'
import { storageMetrics } from '../metrics/storage-metrics.ts'

export const metrics = controlOperation({
  id: 'metrics',
  method: 'GET',
  path: '/metrics',
  title: 'Metrics of the server, as OpenMetrics',
  about:
    'For Prometheus and other readers of OpenMetrics. Labels are ids of operations and HTTP ' +
    'statuses; they contain no key, address or sandbox name. No token is needed.',
  isOpen: true,
  contentType: OPEN_METRICS_TYPE,
  data: Type.String(),
  *answer(_, { registry }) {
    const held = yield* sandboxMetrics(registry.list())
    let text = ''
    yield processMetrics(registry.systemClock)
      .then((ofProcess) =>
        openMetricsText([
          ...serverMetrics(registry),
          ...countedMetrics(registry.metrics),
          ...held,
          ...storageMetrics(registry),
          ...ofProcess,
        ]),
      )
      .then((written) => {
        text = written
      })
    return text
  },
})
