/**
 * Texts over which the mean of the encoder is measured: public repositories at a commit. None of them is one that themes are
 * measured on.
 */
export const general = {
  /** Questions to an assistant: 150 intents of ten domains. */
  intents: {
    repository: 'clinc/oos-eval',
    commit: '828f8093932c8fe6ca7936c3d2e52903b1c523de',
    file: 'data/data_full.json',
  },
  /** Tweets about anything, in several languages. */
  tweets: {
    repository: 'tyqiangz/multilingual-sentiment-datasets',
    commit: '0f4d140251eda600db2be6ecd8f92dce454be2b7',
    languages: ['english', 'french', 'german', 'italian', 'portuguese', 'spanish'],
  },
} as const;
