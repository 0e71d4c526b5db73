import { Type } from '../../contract/schema.ts'
import { controlOperation } from '../control-operation.ts'

export const scenarioLibrary = controlOperation({
  id: 'scenario.library',
  method: 'GET',
  path: '/scenarios',
  title: 'The scenarios of the library',
  about: 'Any of them can be put on by its name, and what it says be sent in full.',
  data: Type.Array(
    Type.Object(
      {
        name: Type.String(),
        title: Type.String({ description: 'what happens, in short' }),
        guidance: Type.Optional(Type.String({ description: 'what a client must cope with' })),
        source: Type.Unknown({ description: 'as it is written: `{title, rules, …}`' }),
      },
      { title: 'LibraryScenario' },
    ),
  ),
  *answer(_, { registry: { library } }) {
    const found = []
    for (const name of library.names()) {
      const { title, guidance, source } = library(name)
      found.push({ name, title, ...(guidance === undefined ? {} : { guidance }), source })
      yield
    }
    return found
  },
})
