import { distributorAccess } from '../../access.ts'
import { C, operation } from '../../operation.ts'
import { LevelConfig, LevelName } from '../../records/distributor.ts'
import { Type } from '../../schema.ts'

export const putLevel = operation({
  id: 'distributor.putLevel',
  method: 'PUT',
  path: '/distributor/levels/:level',
  title: 'Make or replace a level',
  about:
    'Sub keys of the level use the new permissions and limits from the next request on. ' +
    'A refused body changes nothing.',
  source: 'Distributor management, rules 1 to 5; States, level config',
  envelope: C('level saved', { data: false }),
  access: distributorAccess,
  params: {
    path: Type.Object({ level: LevelName }),
    body: LevelConfig,
  },
  data: Type.Null(),
  changes: true,
  refuses: ['resourceType', 'action', 'levelCount'],
  assumed: [
    'distributor-refusal',
    'An action that is not in the action map is refused with HTTP 400.',
  ],
  examples: [
    {
      name: 'tickers and fills',
      path: { level: 'silver' },
      body: {
        request_limits: { max_time_range: 604800, max_request: 10000, request_rate_limit: 60 },
        permissions: [{ resource_type: 'perpdex', actions: ['HL_TICKERS', 'HL_FILLS'] }],
      },
    },
  ],
  answer: ({ path, body }, _, tenant) => tenant.distributor.putLevel(path.level, body),
})
