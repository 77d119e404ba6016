/**
 * What the mean of the encoder is measured over: public repositories at a commit. None of them is one that themes are measured on.
 */
export const general = {
  /** What people ask an assistant: 150 intents of ten domains. */
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

/**
 * What the model of intent was learnt from, as its origin states it: the whole list, of which only the reviews are read since tone
 * needs no training data.
 */
export const messages = {
  /** Tweets to airlines by tone. */
  airlines: {
    repository: 'MohamedAli1995/Virgin-Airline-Tweets-Sentiment-Prediction',
    commit: '02985b01c1c6d8b11d0f033f7c2270c995d02120',
    file: 'data/Tweets.csv',
  },
  /** English and German tweets by tone. */
  tweets: {
    repository: 'tyqiangz/multilingual-sentiment-datasets',
    commit: '0f4d140251eda600db2be6ecd8f92dce454be2b7',
    files: ['data/english/train.csv', 'data/english/valid.csv'],
  },
  /** German tweets by tone: SB10k and PotTS. */
  german: {
    repository: 'oliverguhr/german-sentiment',
    commit: '7057d46cc173cfd93023955306cd1bd56e60b225',
    files: [
      { path: 'source-data/SB10k/not-preprocessed/corpus.tsv', label: 1, text: 2 },
      { path: 'source-data/PotTS/not-preprocessed/corpus_label_text.tsv', label: 0, text: 1 },
    ],
  },
  /** Reviews of apps with stars (of the first source), and by what they are (of both). */
  reviews: {
    repository: 'mohammadzaeem/classification_of_app_reviews',
    commit: '40582a810f67ef86a7c7d59458338b0cc1e812f1',
    stars: 'data/original datasets/Maalej Dataset.xlsx',
    intents: 'data/app_reviews.csv',
  },
} as const;
