import { isRefusal } from '../../contract/refusal.ts'
import type { RecordedRoutes } from '../../tape/replay/recorded-routes.ts'
import { routeOf } from '../pipeline/router.ts'
import { socketOf } from './socket-upgrade.ts'

/** Recorded paths are routed as those of requests and upgrades are. */
export const RECORDED_ROUTES: RecordedRoutes = {
  operationAt(method, path) {
    const route = routeOf(method, path)
    return isRefusal(route) ? null : { operation: route.operation, params: route.params }
  },
  socketAt: (path) => socketOf(path)?.socket ?? null,
}
