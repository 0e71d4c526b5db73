/** Operations of distributor management. */
import type { Operation } from '../operation.ts'
import { deleteLevel } from './distributor/delete-level.ts'
import { info } from './distributor/info.ts'
import { level } from './distributor/level.ts'
import { levels } from './distributor/levels.ts'
import { putLevel } from './distributor/put-level.ts'
import { quota } from './distributor/quota.ts'
import { register } from './distributor/register.ts'

export const DISTRIBUTOR = {
  register,
  info,
  quota,
  levels,
  level,
  putLevel,
  deleteLevel,
} satisfies Record<string, Operation>
