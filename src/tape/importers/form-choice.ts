import { unknownText } from '../../suggestion/nearest-name.ts'
import { UserError } from '../../user-error.ts'
import { FORMAT } from '../tape-event.ts'
import type { Importer } from './importer.ts'
import { IMPORTERS } from './index.ts'
import { mappedImporter } from './mapping/mapped-reader.ts'
import type { Mapping } from './mapping/mapping.ts'
import type { RecordingFile } from './recording-file.ts'
import { type Sample, sampleText } from './sample.ts'

/** A file is of no form that is known. */
export class UnknownForm extends UserError {
  override name = 'UnknownForm'

  constructor(readonly sample: Sample) {
    super(
      `${sample.name}: line 1 is of no form that is known: ${sampleText(sample)}; name one with ` +
        '--from, or say what is what with --map',
    )
  }
}

/** A file and the form that it is of. */
export interface RecognisedFile {
  file: RecordingFile
  importer: Importer
}

/** The form given or named, or that of each file; forms that do not go together are refused. */
export function recognise(
  files: readonly RecordingFile[],
  { from, mapping }: { from?: string; mapping?: Mapping },
): RecognisedFile[] {
  const named = from === undefined ? null : importerNamed(from)
  const mapped = mapping === undefined ? null : mappedImporter(mapping)
  const found = files.map((file) => {
    if (mapped === null) return { file, importer: named ?? importerOf(file.sample) }
    if (mapped.recognises(file.sample)) return { file, importer: mapped }
    throw new UserError(`${file.source.name}: the mapping has no record for this file`)
  })
  const [first] = found
  const other = found.find(
    ({ importer }) =>
      importer !== first?.importer &&
      (importer.order === 'sequence' || first?.importer.order === 'sequence'),
  )
  if (!first || !other) return found
  const [one, two] = [first, other].map(
    ({ file, importer }) => `${file.source.name} is ${importer.name}`,
  )
  throw new UserError(`${one}, ${two}: import them separately and combine them with tape merge`)
}

/** That of a form's name. */
export function importerNamed(from: string): Importer {
  const named = IMPORTERS.find(({ name }) => name === from)
  if (named) return named
  throw new UserError(
    unknownText(
      'form',
      from,
      IMPORTERS.map(({ name }) => name),
    ),
  )
}

function importerOf(sample: Sample): Importer {
  const found = IMPORTERS.find((importer) => importer.recognises(sample))
  if (found) return found
  if (sample.record?.format === FORMAT)
    throw new UserError(`${sample.name}: is already a tape: use tape cut or tape merge`)
  throw new UnknownForm(sample)
}
