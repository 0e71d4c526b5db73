/** Every declaration in distributor/. Written by `bun run generate` from the folder. */
// biome-ignore-all assist/source/organizeImports: in the order of the folder
import type { Operation } from '../operation.ts'
import { deleteLevel } from './distributor/delete-level.ts'
import { info } from './distributor/info.ts'
import { level } from './distributor/level.ts'
import { levels } from './distributor/levels.ts'
import { putLevel } from './distributor/put-level.ts'
import { quota } from './distributor/quota.ts'
import { register } from './distributor/register.ts'

export const DISTRIBUTOR = {
  deleteLevel,
  info,
  level,
  levels,
  putLevel,
  quota,
  register,
} satisfies Record<string, Operation>
