import { distributorAccess } from '../../access.ts'
import { C, operation } from '../../operation.ts'
import { LevelConfig, LevelName } from '../../records/distributor.ts'
import { Type } from '../../schema.ts'

export const level = operation({
  id: 'distributor.level',
  method: 'GET',
  path: '/distributor/levels/:level',
  title: 'A level',
  about: 'Quota template and permissions of the sub keys of a level.',
  source: 'Distributor management; Level config',
  envelope: C(),
  access: distributorAccess,
  params: { path: Type.Object({ level: LevelName }) },
  data: LevelConfig,
  refuses: ['level'],
  assumed: ['level-absent'],
  examples: [{ name: 'a level', path: { level: 'basic' } }],
  answer: ({ path }, _, tenant) => tenant.distributor.level(path.level),
})
