import { expect, test } from 'vitest';
import { describeRoutes } from '../../testing/describe-routes.ts';
import { readRoutes } from './routes.ts';

test('tRPC: procedures in an object that a router is made of elsewhere, and options of TanStack as requests', () => {
  const text = `import type { TRPCRouterRecord } from '@trpc/server';
export const postRouter = {
  all: publicProcedure.query(({ ctx }) => ctx.db.all()),
  byId: publicProcedure.input(z.object({ id: z.string() })).query(show),
  create: protectedProcedure.mutation(create),
} satisfies TRPCRouterRecord;
const options = { retry: 3 };
`;
  const client = `import { trpc } from '~/trpc';
const { data } = useQuery(trpc.post.all.queryOptions());
const create = useMutation(trpc.post.create.mutationOptions({ onSuccess: () => queryClient.invalidateQueries(trpc.post.pathFilter()) }));
`;

  expect(describeRoutes('TypeScript', text)).toEqual(['QUERY /all', 'QUERY /byId show', 'MUTATION /create create']);
  const server = `import { getTRPCClient, createCaller } from '~/trpc/server';
const post = await getTRPCClient().post.byId.fetch({ id });
await getClient().post.byId.fetch({ id });
const caller = createCaller(context);
await caller.post.create({ title });
await caller.close();
`;
  expect(describeRoutes('TypeScript', client)).toEqual(['-> QUERY /post/all', '-> MUTATION /post/create']);
  expect(describeRoutes('TypeScript', server)).toEqual(['-> QUERY /post/byId', '-> ANY /post/create']);
});

test('GraphQL: fields of a schema, resolvers by maps and marks, and what operations ask for', () => {
  const schema = `const { gql } = require('apollo-server');
const typeDefs = gql\`
  type Query {
    # the first ones
    launches("""how many""" pageSize: Int = 20, after: String): LaunchConnection!
    me: User
  }
  extend type Mutation { cancelTrip(launchId: ID!): TripUpdateResponse! @auth(requires: [ADMIN]) }
  type Launch { id: ID! site: String }
\`;
`;
  const resolvers = `import { ApolloServer } from '@apollo/server';
export const resolvers = {
  Query: {
    launches: async (_, { after }, { api }) => api.all({ after, first: 1 }),
    me: findUser,
  },
  Mutation: { async cancelTrip(_, { launchId }) { return { id: launchId }; }, login },
  Launch: { site: (launch) => launch.site },
};
`;
  const operations = `import { gql } from '@apollo/client';
export const LIST = gql\`
  query GetLaunchList($after: String, $filter: Filter = { a: 1 }) {
    first: launches(after: $after) { cursor launches { ...LaunchTile } }
    cartItems @client
    ... on Query { me { id } }
  }
  \${LAUNCH_TILE_DATA}
\`;
const text = 'a query of { words }';
`;

  expect(describeRoutes('JavaScript', schema)).toEqual([
    'GRAPHQL /Query/launches queryResolver#Launches',
    'GRAPHQL /Query/me queryResolver#Me',
    'GRAPHQL /Mutation/cancelTrip mutationResolver#CancelTrip',
  ]);
  expect(describeRoutes('TypeScript', resolvers)).toEqual([
    'GRAPHQL /Query/launches launches',
    'GRAPHQL /Query/me findUser',
    'GRAPHQL /Mutation/cancelTrip cancelTrip',
    'GRAPHQL /Mutation/login login',
    'GRAPHQL /Launch/site site',
  ]);
  expect(describeRoutes('TypeScript', operations)).toEqual([
    '-> GRAPHQL /Query/launches',
    '-> GRAPHQL /Query/launches/cursor',
    '-> GRAPHQL /Query/launches/launches',
    '-> GRAPHQL /Query/me',
    '-> GRAPHQL /Query/me/id',
  ]);
  expect(describeRoutes('GraphQL', '{ me { id } }\nmutation { login(email: "a") { token } }')).toEqual([
    '-> GRAPHQL /Query/me',
    '-> GRAPHQL /Query/me/id',
    '-> GRAPHQL /Mutation/login',
    '-> GRAPHQL /Mutation/login/token',
  ]);
  const federated = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])
directive @auth(type: Role = USER) on FIELD_DEFINITION
scalar Date
extend type Pet @key(fields: "id")
type Query { pets: [Pet!]! }
union Found = Pet | Owner
"of the page"
type Mutation { adopt(id: ID!): Pet }
`;
  expect(describeRoutes('GraphQL', federated)).toEqual([
    'GRAPHQL /Query/pets queryResolver#Pets',
    'GRAPHQL /Mutation/adopt mutationResolver#Adopt',
  ]);
  expect(
    describeRoutes(
      'TypeScript',
      `import { Query, Mutation, Resolver } from '@nestjs/graphql';
@Resolver()
class LaunchResolver {
  @Query(() => [Launch])
  async launches() { return []; }
  @Mutation(() => Trip, { name: 'bookTrips' })
  book() { return []; }
}
`,
    ),
  ).toEqual(['GRAPHQL /Query/launches line 4', 'GRAPHQL /Mutation/bookTrips line 6']);
});

test('GraphQL: fields that a builder makes by calls, with the types that they give', () => {
  const text = `import { builder } from './builder';
export const PostRef = builder.objectRef<PostRow>('Post');
PostRef.implement({
  description: 'A post',
  fields: (t) => ({
    title: t.exposeString('title'),
    author: t.field({ type: 'User', resolve: (post) => load(post) }),
  }),
});
builder.queryField('posts', (t) =>
  t.field({ args: { input: t.arg({ type: PostFilter }) }, type: [PostRef], resolve: listPosts }),
);
builder.mutationField('addPost', (t) => {
  return t.prismaField({ type: 'Post', resolve: async () => add() });
});
builder.queryType({
  fields: (t) => ({ me: t.prismaField({ type: 'User', nullable: true, resolve: me }), health: t.string({ resolve: () => 'ok' }) }),
});
builder.subscriptionFields((t) => ({
  postAdded: t.field({ type: PostRef, subscribe: () => added(), resolve: (post) => post }),
}));
builder.objectField(PostRef, 'likes', (t) => t.field({ type: [Like], resolve: () => [] }));
builder.prismaObject('User', { fields: (t) => ({ posts: t.relation('posts'), ...shared(t) }) });
builder.inputType('PostFilter', { fields: (t) => ({ text: t.string() }) });
const query = sql.queryFields;
`;
  const { routes, fields } = readRoutes({ path: 'schema.ts', language: 'TypeScript', text }, new Set(['pothos']));

  expect(routes.map(({ path, line, handler }) => `${path} ${line} ${JSON.stringify(handler ?? null)}`)).toEqual([
    '/Query/posts 10 {"name":"listPosts","line":11,"column":84}',
    '/Mutation/addPost 13 null',
    '/Query/me 17 {"name":"me","line":17,"column":79}',
    '/Query/health 17 null',
    '/Subscription/postAdded 20 null',
  ]);
  expect(fields.map(({ path, gives }) => `${path} ${gives}`)).toEqual([
    '/Post/author User',
    '/Query/posts Post',
    '/Mutation/addPost Post',
    '/Query/me User',
    '/Subscription/postAdded Post',
    '/Post/likes Like',
  ]);
  expect(readRoutes({ path: 'schema.ts', language: 'TypeScript', text }, new Set()).routes).toEqual([]);
});

test('huma: operations of Go, below the path of their group', () => {
  const text = `package main

import "github.com/danielgtaylor/huma/v2"

func main() {
	v1 := huma.NewGroup(api, "/v1")
	huma.Get(v1, "/greeting/{name}", greet)
	huma.Register(api, huma.Operation{
		OperationID: "post-review",
		Method:      http.MethodPost,
		Path:        "/reviews",
	}, review)
}
`;

  expect(describeRoutes('Go', text)).toEqual(['GET /v1/greeting/{name} greet', 'POST /reviews review']);
});

test('GraphQL in code: fields of strawberry, graphene and TypeGraphQL with what serves them', () => {
  const strawberry = `import strawberry
@strawberry.type
class Query:
    books: list[Book] = strawberry.field(resolver=get_books)
    @strawberry.field
    def book_by_id(self, info, id: int = find(3)) -> Book:
        chosen = load(id)
        return chosen
    def helper(self): ...
@strawberry.type
class BookMutations: ...
@strawberry.type
class BooksMutation:
    @strawberry.mutation(description="x")
    async def add_book(self) -> Book: ...
`;
  const graphene = `import graphene
class CreateBook(graphene.Mutation):
    class Arguments:
        title = graphene.String()
class RenameMutation(graphene.Mutation):
    title = graphene.String()
class Query(shop.schema.Query, graphene.ObjectType):
    all_books = graphene.List(Book, id=graphene.Int(), title=graphene.String())
    node = Node.Field()
    def resolve_all_books(self, info):
        return Book.objects.all()
class Mutation(graphene.ObjectType):
    create_book = CreateBook.Field()
`;
  const typed = `import { Query, Resolver } from "type-graphql";
@Resolver(Recipe)
class RecipeResolver {
  @Query(returns => [Recipe])
  async recipes(@Args() { take }: RecipesArgs) { return []; }
}
`;

  expect(describeRoutes('Python', strawberry)).toEqual([
    'GRAPHQL /Query/books get_books',
    'GRAPHQL /Query/bookById line 6',
    'GRAPHQL /Mutation/addBook line 15',
  ]);
  expect(describeRoutes('Python', graphene)).toEqual([
    'GRAPHQL /Query/allBooks line 10',
    'GRAPHQL /Query/node Node#mutate',
    'GRAPHQL /Mutation/createBook CreateBook#mutate',
  ]);
  expect(describeRoutes('TypeScript', typed)).toEqual(['GRAPHQL /Query/recipes line 4']);
});

test('GraphQL below the root types: fields with a function of their own, and selections by what they are selected from', () => {
  const resolvers = `import { ApolloServer } from '@apollo/server';
export const Resolvers = { Rocket: { name: findName } };
export const Launch: LaunchResolvers = {
  site: findSite, async isBooked(launch) { return true; }, mission: loaders.mission,
  id: 'text', size: 3, parts: [a], rocket: { name: find }, flown: true,
};
const first: Launch = { site: findSite };
type Mission = { name: string };
`;
  const client = `fragment Tile on Launch { __typename isBooked mission { name } }
query One($id: ID!) {
  node(id: $id) {
    ...Tile
    ... on Rocket @include(if: $x) { stages { fuel } }
    ... @skip(if: $y) { size: width(unit: "m") }
    kept @client { id }
  }
}
`;
  const nest = `import { ResolveField, Resolver, Query } from '@nestjs/graphql';
@ObjectType()
export class Author {
  @Field(() => [Post], { nullable: true }) posts?: Post[];
  @Field() get fullName(): string { return ''; }
}
@InputType()
class NewAuthor { @Field() slug(): string { return ''; } }
@Resolver(() => Author)
export class AuthorResolver {
  @Query(() => Author) author(@Args('id') id: number) { return find(id); }
  @ResolveField('books', () => [Book])
  async listBooks(@Parent() author: Author) { return []; }
}
`;
  const spring = `import org.springframework.graphql.data.method.annotation.SchemaMapping;
class PetController {
  @SchemaMapping
  public VisitConnection visits(Pet pet, @Argument Integer first) { return null; }
  @SchemaMapping(typeName = "Owner", field = "pets")
  List<Pet> petsOf(Owner owner) { return null; }
  @BatchMapping
  List<Owner> owner(List<Pet> pets) { return null; }
}
`;
  const gqlgen =
    'package graph\nfunc (r *launchResolver) URLOf(ctx context.Context) {}\nfunc (r *queryResolver) Me() {}\n';

  expect(describeRoutes('TypeScript', resolvers)).toEqual([
    'GRAPHQL /Rocket/name findName',
    'GRAPHQL /Launch/site findSite',
    'GRAPHQL /Launch/isBooked isBooked',
    'GRAPHQL /Launch/mission mission',
  ]);
  expect(describeRoutes('GraphQL', client)).toEqual([
    '-> GRAPHQL /Launch/isBooked',
    '-> GRAPHQL /Launch/mission',
    '-> GRAPHQL /Launch/mission/name',
    '-> GRAPHQL /Query/node',
    '-> GRAPHQL /Rocket/stages',
    '-> GRAPHQL /Rocket/stages/fuel',
    '-> GRAPHQL /Query/node/width',
  ]);
  expect(describeRoutes('TypeScript', nest)).toEqual([
    'GRAPHQL /Author/fullName line 5',
    'GRAPHQL /Query/author line 11',
    'GRAPHQL /Author/books line 12',
  ]);
  expect(describeRoutes('Java', spring)).toEqual([
    'GRAPHQL /Pet/visits line 3',
    'GRAPHQL /Owner/pets line 5',
    'GRAPHQL /Pet/owner line 7',
  ]);
  expect(describeRoutes('Go', gqlgen)).toEqual(['GRAPHQL /Launch/urlOf URLOf']);
});

test('GraphQL of Python below the root types: methods of strawberry, graphene and ariadne, and no data', () => {
  const strawberry = `import strawberry
@strawberry.type
class Book:
    title: str
    author: Optional["Author"]
    @strawberry.field
    def reviews(self, info) -> list[Review] | None:
        return []
class Helper:
    @strawberry.field
    def none(self): ...
@strawberry.type
class Query:
    books: list[Book] = strawberry.field(resolver=get_books)
`;
  const graphene = `import graphene
class Book(DjangoObjectType):
    title = graphene.String()
    sold_copies = graphene.Int()
    def resolve_sold_copies(self, info): ...
`;
  const ariadne = `from ariadne import ObjectType
book = ObjectType("Book")
@book.field("author")
def find_author(book, info): ...
`;

  expect(describeRoutes('Python', strawberry)).toEqual([
    'GRAPHQL /Book/reviews line 7',
    'GRAPHQL /Query/books get_books',
  ]);
  expect(readRoutes({ path: 'a.py', language: 'Python', text: strawberry }, new Set()).fields).toEqual([
    { path: '/Book/author', gives: 'Author' },
    { path: '/Book/reviews', gives: 'Review' },
    { path: '/Query/books', gives: 'Book' },
  ]);
  expect(describeRoutes('Python', graphene)).toEqual(['GRAPHQL /Book/soldCopies line 5']);
  expect(describeRoutes('Python', ariadne)).toEqual(['GRAPHQL /Book/author line 3']);
});
