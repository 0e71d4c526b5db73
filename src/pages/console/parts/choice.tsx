/** A few choices beside one another, of which one is taken. */
export interface ChoiceProps<T extends string> {
  /** Said to those who do not see it. */
  label: string
  options: readonly { value: T; text: string }[]
  value: T
  onPick(value: T): void
}

export function Choice<T extends string>({ label, options, value, onPick }: ChoiceProps<T>) {
  return (
    <fieldset class="choice" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onPick(option.value)}
        >
          {option.text}
        </button>
      ))}
    </fieldset>
  )
}
