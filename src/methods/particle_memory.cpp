#include "methods/particle_memory.h"

#include "methods/method.h"

namespace treacle {

namespace {

template <class S>
double column_bytes_in(const MethodRow& row, const MethodInput& input) {
    const auto method = create_method<S>(row.id, input);
    if (!method) return 0;  // this build lacks it; reading the scene says so
    const ScalarType real = sizeof(typename S::Real) == 4 ? ScalarType::f32 : ScalarType::f64;
    Particles particles(real);
    ConnectionGraph connections(real);
    method->add_columns(particles, connections);
    double sum = 0;
    for (const Particles::Column& column : particles.all()) sum += static_cast<double>(column.info.row_bytes());
    return sum;
}

}  // namespace

double column_bytes(const MethodRow& method, const MethodInput& input) {
    if (input.double_precision)
        return input.dimension == 2 ? column_bytes_in<Space2d>(method, input) : column_bytes_in<Space3d>(method, input);
    return input.dimension == 2 ? column_bytes_in<Space2f>(method, input) : column_bytes_in<Space3f>(method, input);
}

double bytes_per_particle(const MethodRow& method, const MethodInput& input) {
    return column_bytes(method, input) + method.working_bytes(input);
}

}  // namespace treacle
