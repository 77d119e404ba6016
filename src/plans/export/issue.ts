import { taskEntry, unitsOf } from './prompt.ts';
import { filesOf, type Layout } from './spec.ts';

/** The body of one issue: the sections of the prompt, with the tasks as a checklist. */
export const issue: Layout = {
  isText: true,
  units: (spec) =>
    unitsOf(spec, 'issue.md', taskEntry).map((unit) =>
      unit.text === `# ${spec.title}`
        ? {
            ...unit,
            text: `Plan **${spec.title}** (\`plan:${spec.slug}\`, version ${spec.version}) for ${spec.repo}@${spec.commit.slice(0, 7)}, ${spec.stale ?? 'not compared with an index'}.`,
          }
        : unit,
    ),
  assemble: (_spec, units) => filesOf(units, '\n\n'),
};
