// A linked list and a binary tree in managed memory, built by the host, walked and changed by the device.
#include <cstdio>
#include <new>

struct Managed {
  void* operator new(std::size_t bytes) {
    void* p = nullptr;
    if (cudaMallocManaged(&p, bytes) != cudaSuccess) throw std::bad_alloc();
    cudaDeviceSynchronize();
    return p;
  }
  void operator delete(void* p) {
    cudaDeviceSynchronize();
    cudaFree(p);
  }
};

struct Node : Managed {
  int value;
  Node* next;
};
struct Tree : Managed {
  int key, count = 0;
  Tree *left = nullptr, *right = nullptr;
  explicit Tree(int k) : key(k) {}
};

__global__ void add_to_all(Node* head, int by) {
  for (Node* n = head; n != nullptr; n = n->next) n->value += by;
}

__global__ void look_up(Tree* root, const int* keys, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Tree* t = root;
  while (t != nullptr && t->key != keys[i]) t = keys[i] < t->key ? t->left : t->right;
  if (t != nullptr) atomicAdd(&t->count, 1);
}

static void insert(Tree*& t, int key) {
  if (t == nullptr)
    t = new Tree(key);
  else if (key != t->key)
    insert(key < t->key ? t->left : t->right, key);
}
static void sum_up(Tree* t, int& nodes, int& hits) {
  if (t == nullptr) return;
  sum_up(t->left, nodes, hits);
  ++nodes;
  hits += t->count;
  sum_up(t->right, nodes, hits);
  delete t;
}

int main() {
  Node* head = nullptr;
  for (int k = 0; k < 10; ++k) {
    Node* n = new Node;
    n->value = k * k;
    n->next = head;
    head = n;
  }
  add_to_all<<<1, 1>>>(head, 100);
  cudaDeviceSynchronize();
  for (Node* n = head; n != nullptr;) {
    std::printf("%d ", n->value);
    Node* next = n->next;
    delete n;
    n = next;
  }
  std::printf("\n");

  Tree* root = nullptr;
  for (int k = 0; k < 50; ++k) insert(root, (k * 37) % 101);
  const int n = 300;
  int* keys;
  cudaMallocManaged(&keys, n * sizeof(int));
  int expected = 0;
  for (int i = 0; i < n; ++i) keys[i] = i % 101;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 50; ++k) expected += (k * 37) % 101 == keys[i];
  look_up<<<3, 128>>>(root, keys, n);
  cudaError_t e = cudaDeviceSynchronize();
  int nodes = 0, hits = 0;
  sum_up(root, nodes, hits);
  std::printf("%s: %d nodes, %d hits (%d)\n", cudaGetErrorName(e), nodes, hits, expected);
  cudaFree(keys);
  return hits != expected;
}
