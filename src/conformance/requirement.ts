/**
 * A requirement is a sentence of the contract that says how the service has to behave, in our own
 * words. Cases name the requirements that they check.
 */

/** In what respect the cases that come from a declaration look at an operation or a channel. */
export type Aspect =
  /** Its examples: status, envelope and schema of what it answers or pushes. */
  | 'answer'
  /** Who may call it, and what the others are told. */
  | 'access'
  /** Its limits: left out, at the most, and above. */
  | 'limits'
  /** Every value of its parameters that have a fixed set. */
  | 'values'
  /** Its parameters that cannot be left out. */
  | 'required'

export interface Requirement {
  /** `auth.window`: letters, digits and dots. */
  id: string
  /** Where the contract says so. */
  section: string
  text: string
  /** Derived cases that check it: those of these operations or channels, in this respect. */
  derived?: { respect: Aspect; of: readonly string[] }
}

type Sentence = string | Omit<Requirement, 'id' | 'section'>

/** The requirements of one section, by id. */
export function requirementsOfSection(
  section: string,
  sentences: Readonly<Record<string, Sentence>>,
): readonly Requirement[] {
  return Object.entries(sentences).map(([id, sentence]) => ({
    id,
    section,
    ...(typeof sentence === 'string' ? { text: sentence } : sentence),
  }))
}

const derivedBy =
  (respect: Aspect) =>
  (text: string, ...of: string[]): Sentence => ({ text, derived: { respect, of } })

/** Checked wherever the answers of these are looked at. */
export const byAnswers = derivedBy('answer')
/** Checked wherever access to these is tried. */
export const byAccess = derivedBy('access')
/** Checked wherever the limits of these are tried. */
export const byLimits = derivedBy('limits')
/** Checked wherever every value of these is tried. */
export const byValues = derivedBy('values')
/** Checked wherever something that these need is left out. */
export const byRequired = derivedBy('required')
