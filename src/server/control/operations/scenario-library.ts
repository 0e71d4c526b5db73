import { Type } from '../../../contract/schema.ts'
import { controlOperation } from '../control-operation.ts'

export const scenarioLibrary = controlOperation({
  id: 'scenario.library',
  method: 'GET',
  path: '/scenarios',
  title: 'The scenarios of the library',
  about: 'You can switch each on by its name, or send a changed copy of its `source`.',
  data: Type.Array(
    Type.Object(
      {
        name: Type.String(),
        title: Type.String({ description: 'short description' }),
        guidance: Type.Optional(Type.String({ description: 'what a client must cope with' })),
        source: Type.Unknown({ description: 'its text: `{title, rules, …}`' }),
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
