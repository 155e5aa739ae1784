#include "laws/elastic_response.h"

namespace treacle {

ElasticResponse ElasticResponse::of(double shear_modulus, double relaxation_time, double yield_stress,
                                    double mobility) {
    ElasticResponse response;
    response.elastic = shear_modulus > 0;
    response.compliance = response.elastic ? 1 / shear_modulus : 0;
    response.relaxation_rate = 1 / relaxation_time;
    response.yield_strain = yield_stress * response.compliance;
    response.mobility = mobility;
    return response;
}

}  // namespace treacle
