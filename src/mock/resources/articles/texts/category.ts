/** The material of the articles of one category. In its texts, `{}` stands for the subject, and `de {}` becomes `d’Annecy` before a vowel. */
export interface Category {
  readonly category: string;
  readonly subjects: readonly string[];
  readonly keyword: string;
  /** The ways to write about one subject: title, excerpt, and the number of the section that the title promises. */
  readonly angles: readonly (readonly [title: string, excerpt: string, section: number])[];
  /** First words: brisk, calm and practical. */
  readonly intros: readonly [brisk: string, calm: string, practical: string];
  readonly sections: readonly Section[];
  readonly facts: (subject: number) => Facts;
  /** What a picture shows, and its caption. */
  readonly figures: readonly (readonly [subject: string, caption: string])[];
  readonly reminders: readonly string[];
  readonly closings: readonly string[];
}

/** `Heading|Paragraph|Paragraph`. Of `[two/three]`, each article takes one. */
export type Section = string;

/** A table about the subject, and what to do with it. */
export interface Facts {
  readonly title: string;
  readonly rows: readonly (readonly string[])[];
  readonly steps?: readonly string[];
}
