/**
 * Small inputs after public bug reports, each of which was answered wrongly without a word once. One service indexes all of them
 * as folders of one repository, and is asked as clients ask.
 */
export const INPUT_FILES: Readonly<Record<string, string | Buffer>> = {
  'package.json': '{ "name": "inputs", "private": true }\n',
  'cs/Labels.cs': `namespace Shop;
public sealed class Labels
{
    private readonly string[] names = new string[0];
    public string First()
    {
        var s = $"{{{string.Concat("a", "b")}}}";
        return Wrap(s);
    }
    public string Wrap(string s) => s;
    public int After() { return Wrap("z").Length; }
}
`,
  'c/os.h': `#ifndef OS_H
#define OS_H
APP_DECLARE(app_status_t) app_create_process(
    const request_rec *r,
    app_proc_t *newproc,
    const char * const *args);
APP_DECLARE_NONSTD(int) app_hook(void *p);
int app_plain(int a);
#endif
`,
  'cpp/ev.cpp': `#define IMPLEMENT_VISIT(self, base) /* x */

struct MoveEvent : public Event
{
   IMPLEMENT_VISIT(MoveEvent, Event)
};

struct ZoomEvent : public Event
{
   IMPLEMENT_VISIT(ZoomEvent, Event)
};

static EventPtr MAIN_EVENT = new LongEvent(ZoomEvent());
`,
  'kt/Ctx.kt': `package acme.ctx

class Scope { fun rect(n: Int) {} }

class Particle {
    context(scope: Scope)
    fun draw() {
        scope.rect(1)
    }
}
`,
  'py/pub.py': `def first(): pass
def second(): pass
def third(): pass

__all__ = ["first"]
__all__.append("second")
__all__.extend(["third"])
`,
  'ns/package.json': '{"name":"ns","version":"1.0.0","private":true,"main":"src/index.ts"}',
  'ns/tsconfig.json': '{"compilerOptions":{"module":"esnext","moduleResolution":"bundler"}}',
  'ns/src/index.ts':
    'import * as fruits from "./fruits";\nconst all: Record<string, unknown> = fruits;\nexport const run = () => Object.keys(all);\n',
  'ns/src/fruits/index.ts':
    'export { apricot } from "./apricot";\nexport { default as pear } from "./pear";\nexport const own = 1;\n',
  'ns/src/fruits/apricot.ts': 'export const apricot = 1;\n',
  'ns/src/fruits/pear.ts': 'const p = 2;\nexport default p;\n',
  'ns/src/never.ts': 'export const never = 1;\n',
  'links/src/real.ts': 'export function realFn() { return 1; }\n',
  'links/use.ts':
    'import { realFn } from "./src/real";\nimport { realFn as viaLink } from "./link/real";\nexport const both = [realFn(), viaLink()];\n',
  'rb/h.rb': `class Page
  def outer
    text = <<~ABC
      Top
      #{
        <<~DEF
          Middle #{inner}
        DEF
      }
      Bottom
    ABC
    finish(text)
  end

  def inner = "x"
  def finish(t) = t
end
`,
  'directive/App.vue': `<script setup lang="ts">
import { vFocus } from './dirs'
import FooBar from './FooBar.vue'
</script>
<template>
  <input v-focus />
  <foo-bar />
</template>
`,
  'directive/FooBar.vue': '<template><b/></template>\n',
  'directive/dirs.ts': 'export const vFocus = { mounted() {} };\n',
  'namespace/App.vue': `<script setup lang="ts">
import * as utils from './utils'
const n = 1
</script>
<template>
  <p>{{ utils.formatDate(n) }}</p>
  <a :title="utils.formatTime(n)" @click="utils.go()">x</a>
</template>
`,
  'namespace/utils.ts':
    'export function formatDate(n: number) { return String(n); }\nexport function formatTime(n: number) { return String(n); }\nexport function go() {}\n',
  'big/big.ts': Array.from(
    { length: 60_000 },
    (_, at) => `export function bigFn${at}(x: number): number { return x + ${at}; }\n`,
  ).join(''),
  'line/one.js': `function a1(){return 1}${Array.from({ length: 2000 }, (_, at) => `var v${at}=${at}`).join(';')};function tail1(){return a1()}\n`,
  'docs/adr/prose/0003-rows.md':
    '# 3. Rows\n\nDate: 2026-03-21\n\n## Status\n\nAccepted\n\nAmended by [4. Later](0004-later.md), the earlier framing is\nsuperseded for this layer.\n\n## Decision\n\nRows.\n',
  'docs/adr/prose/0004-later.md': '# 4. Later\n\n## Status\n\nAccepted\n\n## Decision\n\nLater.\n',
  'docs/adr/mark/ADR-042-python-first.md':
    '\ufeff# ADR-042: Python first\n\n**Status:** Accepted  \n**Date:** 2026-05-02\n\n## Decision\n\nScripts are Python.\n',
  'locale/de.ts': `export default {\n${Array.from({ length: 400 }, (_, at) => `  key${at}: 'Wert ${at}',\n`).join('')}};\n`,
  'zero/nul.go': 'package zero\n\nfunc zero() {}\0\n',
};
