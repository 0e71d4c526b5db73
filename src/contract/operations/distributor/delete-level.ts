import { distributorAccess } from '../../access.ts'
import { C, operation } from '../../operation.ts'
import { LevelName } from '../../records/distributor.ts'
import { Type } from '../../schema.ts'

export const deleteLevel = operation({
  id: 'distributor.deleteLevel',
  method: 'DELETE',
  path: '/distributor/levels/:level',
  title: 'Delete a level',
  about: 'Removes its permissions and quota template; its sub keys may then call nothing.',
  source: 'Distributor management; States, level config',
  envelope: C('level deleted', { data: false }),
  envelopeByAnswer: {
    question: 'level-delete-answer',
    is: { bare: C(null, { data: false }), data: C('level deleted') },
  },
  access: distributorAccess,
  params: { path: Type.Object({ level: LevelName }) },
  data: Type.Null(),
  changes: true,
  refuses: ['level'],
  assumed: ['level-delete-answer', 'level-absent'],
  examples: [{ name: 'a level', path: { level: 'bare' } }],
  answer: ({ path }, _, tenant) => tenant.distributor.deleteLevel(path.level),
})
