/** The texts of open questions in another language. */

/** Shown texts of each question and each answer of a group. */
export type QuestionTexts<
  Group extends Readonly<Record<string, { answers: Readonly<Record<string, string>> }>>,
> = {
  readonly [Id in keyof Group]: {
    readonly question: string
    readonly answers: { readonly [Answer in keyof Group[Id]['answers']]: string }
  }
}
