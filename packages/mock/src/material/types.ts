/** The texts of a category. In them, `{}` stands for the subject, and `de {}` becomes `d’Annecy` before a vowel. */
export interface Texts {
  /** The ways to write about one subject: title, excerpt, and the number of the section that the title promises. */
  readonly angles: readonly (readonly [title: string, excerpt: string, section: number])[];
  /** First words: brisk, calm and practical. */
  readonly intros: readonly [brisk: string, calm: string, practical: string];
  readonly sections: readonly Section[];
  /** What a picture shows, and its caption. */
  readonly figures: readonly (readonly [subject: string, caption: string])[];
  readonly reminders: readonly string[];
  /** Last words: brisk, calm and practical. */
  readonly closings: readonly [brisk: string, calm: string, practical: string];
}

/** `Heading|Paragraph|Paragraph`. Of `[two/three]`, each article takes one. */
export type Section = string;
