import { workerData } from 'node:worker_threads';
import { yieldThread } from '../platform/background.ts';
import { serveTasks } from '../platform/threads.ts';
import { clusterTexts, labelsOf } from './cluster.ts';
import { foldTexts, type FoldText } from './fold.ts';

/** What the thread is asked. Texts are sent once, oldest first, and then named by id. */
export type ThemeTask =
  | { kind: 'add'; texts: readonly FoldText[] }
  | { kind: 'fold' }
  | { kind: 'cluster'; ids: readonly string[]; leaders: readonly string[] }
  | { kind: 'label'; groups: ReadonlyMap<string, readonly string[]> };

/** By id of a text or name of a group; nothing for `add`. */
export type ThemeReply = Map<string, string> | undefined;

yieldThread();
serveTasks(workerData as { data: undefined; stop: Int32Array }, () => {
  const texts = new Map<string, string>();
  const named = (ids: readonly string[]): FoldText[] => ids.map((id) => ({ id, text: texts.get(id) ?? '' }));
  return (task: ThemeTask): ThemeReply => {
    switch (task.kind) {
      case 'add':
        for (const { id, text } of task.texts) texts.set(id, text);
        return undefined;
      case 'fold':
        return foldTexts(named([...texts.keys()]));
      case 'cluster':
        return clusterTexts(named(task.ids), named(task.leaders));
      case 'label':
        return labelsOf(
          new Map(Array.from(task.groups, ([group, ids]) => [group, named(ids).map(({ text }) => text)])),
        );
    }
  };
});
